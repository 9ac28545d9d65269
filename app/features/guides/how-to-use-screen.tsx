import './prose.css';
import { useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { deviceWord } from '../landing/surroundings.ts';
import { Contents, Dots, Section, Steps } from './prose.tsx';

type Platform = 'ios' | 'android' | 'desktop';

/** The platform this browser says it runs on; an iPad that calls itself a Mac is known by its touch screen. */
function ownPlatform(): Platform {
  const agent = navigator.userAgent;
  if (/Android/i.test(agent)) return 'android';
  if (/iPhone|iPad|iPod/i.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1)) return 'ios';
  return 'desktop';
}

/** Member guide, leader guide, installing per platform, offline explained. */
export function HowToUseScreen() {
  const device = deviceWord();
  const parts = [
    { id: 'members', title: m.public_use_members() },
    { id: 'leaders', title: m.public_use_leaders() },
    { id: 'install', title: m.public_use_install() },
    { id: 'offline', title: m.public_use_offline() },
  ];
  const questions = [
    { ask: m.public_use_q1(), answer: m.public_use_a1() },
    { ask: m.public_use_q2(), answer: m.public_use_a2() },
    { ask: m.public_use_q3(), answer: m.public_use_a3() },
    { ask: m.public_use_q4(), answer: m.public_use_a4() },
    { ask: m.public_use_q5(), answer: m.public_use_a5({ device }) },
  ];
  return (
    <Screen title={m.public_use_title()} lead={m.public_use_lead()} aside={<Contents parts={parts} />}>
      <div className="reading">
        <Section id="members" title={m.public_use_members()}>
          <Steps
            steps={[
              { title: m.public_use_m1_h(), line: m.public_use_m1() },
              { title: m.public_use_m2_h(), line: m.public_use_m2() },
              { title: m.public_use_m3_h(), line: m.public_use_m3() },
              { title: m.public_use_m4_h(), line: m.public_use_m4({ device }) },
              { title: m.public_use_m5_h(), line: m.public_use_m5({ device }) },
              { title: m.public_use_m6_h(), line: m.public_use_m6() },
            ]}
          />
        </Section>
        <Section id="leaders" title={m.public_use_leaders()}>
          <Steps
            steps={[
              { title: m.public_use_l1_h(), line: m.public_use_l1() },
              { title: m.public_use_l2_h(), line: m.public_use_l2() },
              { title: m.public_use_l3_h(), line: m.public_use_l3() },
              { title: m.public_use_l4_h(), line: m.public_use_l4() },
              { title: m.public_use_l5_h(), line: m.public_use_l5() },
            ]}
          />
        </Section>
        <Section id="install" title={m.public_use_install()}>
          <p>{m.public_use_install_line()}</p>
          <InstallSteps />
        </Section>
        <Section id="offline" title={m.public_use_offline()} wide>
          <div className="reading-pair">
            <div className="card">
              <h3>{m.public_use_works()}</h3>
              <Dots
                kind="yes"
                lines={[m.public_use_w1(), m.public_use_w2(), m.public_use_w3(), m.public_use_w4(), m.public_use_w5()]}
              />
            </div>
            <div className="card">
              <h3>{m.public_use_not()}</h3>
              <Dots
                kind="no"
                lines={[m.public_use_n1(), m.public_use_n2(), m.public_use_n3(), m.public_use_n4({ device })]}
              />
            </div>
          </div>
          <div>
            {questions.map(({ ask, answer }) => (
              <details key={ask}>
                <summary>
                  {ask}
                  <Icon name="down" />
                </summary>
                <p>{answer}</p>
              </details>
            ))}
          </div>
        </Section>
      </div>
    </Screen>
  );
}

/** The steps for one platform at a time, beginning with the reader's own. */
function InstallSteps() {
  const [platform, setPlatform] = useState(ownPlatform);
  const steps: Record<Platform, string[]> = {
    ios: [m.public_use_ios_1(), m.public_use_ios_2(), m.public_use_ios_3(), m.public_use_ios_4()],
    android: [m.public_use_android_1(), m.public_use_android_2(), m.public_use_android_3()],
    desktop: [m.public_use_desktop_1(), m.public_use_desktop_2(), m.public_use_desktop_3()],
  };
  return (
    <>
      <Segment
        label={m.public_use_platform()}
        options={[
          { value: 'ios', label: m.public_use_ios() },
          { value: 'android', label: m.public_use_android() },
          { value: 'desktop', label: m.public_use_desktop() },
        ]}
        value={platform}
        onChange={setPlatform}
      />
      {platform === 'ios' ? (
        <Steps steps={steps.ios.map((line) => ({ line }))} />
      ) : (
        <Dots kind="yes" lines={steps[platform]} />
      )}
    </>
  );
}
