import './write-shared.css';
import { ImageForm } from '../../kinds/submit-image/parts.tsx';
import { useOutbox } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { viewTask } from '../../shared/tasks/task-view.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import type { Choice } from './pick-task.tsx';

/** The form of a picture task with the shared picture. `onSent`: once the command is durable on this device. */
export function SendPicture(props: { choice: Choice; picture: Blob; onBack: () => void; onSent: () => void }) {
  const { community, task } = props.choice;
  const view = viewTask(community.id, task, useOutbox());
  return (
    <Screen title={task.title} lead={community.name}>
      <div className="stack share-form">
        <ImageForm communityId={community.id} view={view} given={props.picture} onDone={props.onSent} />
        <div className="actions">
          <Button kind="words" onClick={props.onBack}>
            {m.shell_share_other()}
          </Button>
        </div>
      </div>
    </Screen>
  );
}
