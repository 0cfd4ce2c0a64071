import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { DIGITAL } from '../../../domain/datapoint.ts';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { useActor } from '../../kit/session/actor.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import classes from './DeviceTab.module.css';
import { type ExampleDevice, examplesFor, tokenHint } from './examples.ts';
import { endpointsQuery } from './sensor.queries.ts';
import { sensorRulesQuery } from './test-value.queries.ts';
import { proposeValue } from './test-value-words.ts';

interface SendExamplesProps {
  sensor: { uuid: string; sensorType: number };
  device: ExampleDevice;
}

/**
 * Shows commands that send a test value, and the effect of the value. The URL parameter `rule` selects the rule that
 * the value should violate.
 */
export function SendExamples({ sensor, device }: SendExamplesProps) {
  const mayReadRules = can(useActor(), 'rule.read');
  const { rule: preferred } = useSearch({ strict: false }) as { rule?: string };
  const endpoints = useQuery(endpointsQuery());
  const rules = useQuery(sensorRulesQuery(mayReadRules ? sensor : undefined));
  const failed = [endpoints, rules].find(({ isError }) => isError);
  if (failed) {
    return (
      <ErrorState title="The examples could not be loaded" onRetry={() => void failed.refetch()}>
        {messageOf(failed.error)}
      </ErrorState>
    );
  }
  if (endpoints.data === undefined || (mayReadRules && rules.data === undefined)) return <Skeleton width="80%" />;
  const place = { origin: location.origin, hostname: location.hostname, endpoints: endpoints.data };
  const { sent, sentences } = proposeValue(rules.data, { isDigital: sensor.sensorType === DIGITAL, preferred });
  return (
    <section className={classes.part} aria-label="Examples">
      <h3>Send a test value</h3>
      {[...sentences, tokenHint(device)].filter(Boolean).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {examplesFor(place, device, sent).map((example) => (
        <div key={example.name} className={classes.example}>
          <span>{example.name}</span>
          <CopyLine label={example.name}>{example.text}</CopyLine>
        </div>
      ))}
    </section>
  );
}
