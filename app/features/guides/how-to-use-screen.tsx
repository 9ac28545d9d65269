import '../../ui/prose.css';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { forDevice, type Guide, type GuideSection } from '../../../server/contract/guide-text.ts';
import { guides } from '../../../server/contract/guides.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import { Contents, Section, Steps } from '../../ui/prose.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { Blocks, FirstLine, guideOf } from './blocks.tsx';
import { GuideSearch } from './guide-search.tsx';
import { InstallDrawing } from './install-drawing.tsx';

const PLATFORMS = ['ios', 'android', 'desktop'] as const;
type Platform = (typeof PLATFORMS)[number];

/** This browser's platform; a touch screen reveals an iPad that claims to be a Mac. */
function ownPlatform(): Platform {
  const agent = navigator.userAgent;
  if (/Android/i.test(agent)) return 'android';
  if (/iPhone|iPad|iPod/i.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1)) return 'ios';
  return 'desktop';
}

const never = () => () => undefined;

/** Guides with their own layout; all others are expandable questions. */
const FORMS: Readonly<Record<string, (props: { guide: Guide; device: string }) => React.ReactNode>> = {
  members: GuideSteps,
  leaders: GuideSteps,
  install: InstallSteps,
  offline: Offline,
};

export function HowToUseScreen() {
  const device = useDeviceWord();
  useOpenedByAddress();
  const parts = guides.filter(({ page }) => page === 'how-to-use');
  return (
    <Screen title={m.public_use_title()} lead={m.public_use_lead()} contents={<Contents parts={parts} />}>
      <div className="reading">
        <GuideSearch />
        {parts.map((guide) => {
          const Form = FORMS[guide.id] ?? Questions;
          return (
            <Section key={guide.id} id={guide.id} title={guide.title} wide={guide.id === 'offline'}>
              <Blocks blocks={guide.intro} device={device} />
              <Form guide={guide} device={device} />
            </Section>
          );
        })}
      </div>
    </Screen>
  );
}

/** A link to a question opens it. */
function useOpenedByAddress(): void {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const named = hash === '' ? null : document.getElementById(hash);
    if (!(named instanceof HTMLDetailsElement)) return;
    named.open = true;
    named.scrollIntoView({ block: 'start' });
  }, [hash]);
}

function GuideSteps({ guide, device }: { guide: Guide; device: string }) {
  return (
    <Steps
      steps={guide.sections.map((section) => ({
        key: section.id,
        title: section.title,
        line: <FirstLine section={section} device={device} />,
      }))}
    />
  );
}

/** Installation steps for one platform at a time, the reader's own first. */
function InstallSteps({ device }: { device: string }) {
  // The build pre-renders the page for no device; the browser's own platform is read on mount.
  const own = useSyncExternalStore(never, ownPlatform, () => 'desktop' as const);
  const [chosen, setPlatform] = useState<Platform | null>(null);
  const platform = chosen ?? own;
  const { sections } = guideOf('how-to-use', 'install');
  const section = sections[PLATFORMS.indexOf(platform)];
  return (
    <>
      <Segment
        label={m.public_use_platform()}
        options={PLATFORMS.map((value, at) => ({ value, label: sections[at]?.title ?? value }))}
        value={platform}
        onChange={setPlatform}
      />
      <InstallDrawing platform={platform} />
      {section && <Blocks blocks={section.blocks} device={device} />}
    </>
  );
}

/** What works offline and what does not, side by side; then questions. */
function Offline({ guide, device }: { guide: Guide; device: string }) {
  const [works, needs, ...questions] = guide.sections;
  return (
    <>
      <div className="reading-pair">
        {works && (
          <div className="card" id={works.id}>
            <h3>{works.title}</h3>
            <Blocks blocks={works.blocks} device={device} />
          </div>
        )}
        {needs && (
          <div className="card" id={needs.id}>
            <h3>{needs.title}</h3>
            <Blocks blocks={needs.blocks} device={device} kind="no" />
          </div>
        )}
      </div>
      <QuestionList sections={questions} device={device} />
    </>
  );
}

const Questions = ({ guide, device }: { guide: Guide; device: string }) => (
  <QuestionList sections={guide.sections} device={device} />
);

function QuestionList({ sections, device }: { sections: readonly GuideSection[]; device: string }) {
  return (
    <div>
      {sections.map((section) => (
        <details key={section.id} id={section.id}>
          <summary>
            {forDevice(section.title, device)}
            <Icon name="down" />
          </summary>
          <Blocks blocks={section.blocks} device={device} />
        </details>
      ))}
    </div>
  );
}
