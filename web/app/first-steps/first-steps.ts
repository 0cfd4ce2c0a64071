import { type Actor, alarmAccess } from '../../../domain/permission.ts';
import type { Trial } from './trial.ts';

interface Named {
  uuid: string;
  name: string;
}

/** A user. In `people`, `linked` means linked to any site; in `recipients`, linked to the site of the rule alert. */
export interface SetupUser extends Named, Actor {
  linked: boolean;
}

export interface SetupState {
  sites: boolean;
  /** The first sensor, possibly without channels. */
  sensor: Named | undefined;
  channels: boolean;
  assets: boolean;
  datapoints: boolean;
  rules: boolean;
  /** Users below the signed-in user in the hierarchy: their level number is higher. */
  people: readonly SetupUser[];
  /** The first rule alert, possibly without recipients. */
  ruleAlert: Named | undefined;
  /** Recipients of rule alerts. `linked` is true if the user is linked to the alert's site. */
  recipients: readonly (SetupUser & { alert: Named })[];
  /** A test value that opens an alarm; undefined if no test value can violate a rule. */
  trial: Trial | undefined;
  readings: boolean;
}

export interface Step {
  name: string;
  /** Explains why the step is needed or, if the user has already started the step, what is missing. */
  why: string;
  to:
    | '/admin/sites'
    | '/admin/sensors'
    | '/admin/assets'
    | '/admin/datapoints'
    | '/admin/rules'
    | '/admin/users'
    | '/dashboard';
  search: { record?: string; tab?: string; channel?: string };
  done: boolean;
  /** The test value to send. The step shows it instead of a form. */
  trial?: Trial | undefined;
}

const opens = (person: SetupUser) => alarmAccess(person, person.linked).opens;

/** Returns the setup steps in order, from the first site to a test value. Each step requires the previous ones. */
export function firstSteps(setup: SetupState): Step[] {
  const made = { record: 'new' } as const;
  const hasRecipient = setup.recipients.some(opens);
  return [
    {
      name: 'Add a site',
      why: 'A place with devices, such as a pump station.',
      to: '/admin/sites',
      search: made,
      done: setup.sites,
    },
    {
      name: 'Register a sensor',
      ...(setup.sensor
        ? {
            why: `${setup.sensor.name} has no channel yet, so its values are rejected. Add a channel for each value it sends.`,
            search: { record: setup.sensor.uuid, channel: 'new' },
          }
        : { why: 'The device that sends data, with a channel for each value.', search: made }),
      to: '/admin/sensors',
      done: setup.channels,
    },
    {
      name: 'Add an asset',
      why: 'The equipment that you monitor at the site, such as a wet well.',
      to: '/admin/assets',
      search: made,
      done: setup.assets,
    },
    {
      name: 'Add a data point',
      why: 'Connects a channel of the sensor to the asset.',
      to: '/admin/datapoints',
      search: made,
      done: setup.datapoints,
    },
    {
      name: 'Add a rule',
      why: 'Set the limits, and how long a value must be outside them before an alarm opens.',
      to: '/admin/rules',
      search: made,
      done: setup.rules,
    },
    {
      name: 'Invite people',
      ...invitationStep(setup),
      to: '/admin/users',
      done: hasRecipient || setup.people.some(opens),
    },
    {
      name: 'Choose who is notified',
      ...recipientsStep(setup),
      to: '/admin/rules',
      done: hasRecipient,
    },
    {
      name: 'Send a test value',
      why: setup.trial
        ? `Send a value outside the limits of the rule “${setup.trial.ruleName}”, so that an alarm opens.`
        : 'Send a value outside the rule’s limits, so that an alarm opens.',
      to: '/dashboard',
      search: {},
      done: setup.readings,
      trial: setup.trial,
    },
  ];
}

function invitationStep({ people: [person] }: SetupState): Pick<Step, 'why' | 'search'> {
  if (!person) return { why: 'Add the people to notify, and link them to their sites.', search: { record: 'new' } };
  return {
    why: person.partnerAccount
      ? `${person.name} is a partner account and cannot open alarms. Invite a person.`
      : `${person.name} is not linked to a site and cannot open alarms. Link them to a site.`,
    search: { record: person.partnerAccount ? 'new' : person.uuid },
  };
}

function recipientsStep({ ruleAlert, recipients: [person] }: SetupState): Pick<Step, 'why' | 'search'> {
  const tab = 'alerts';
  if (!ruleAlert) {
    return {
      why: 'A rule alert defines who is notified of a rule’s alarms, and who is notified next if nobody acknowledges.',
      search: { record: 'new', tab },
    };
  }
  return {
    why: person
      ? `${person.name} is a recipient of the rule alert “${person.alert.name}” but cannot open its alarms. Open the rule alert to see what to do.`
      : `The rule alert “${ruleAlert.name}” notifies nobody yet.`,
    search: { record: (person?.alert ?? ruleAlert).uuid, tab },
  };
}

/** Returns the first incomplete step; undefined once the setup is complete. */
export function nextStep(steps: readonly Step[]): Step | undefined {
  return steps.find(({ done }) => !done);
}
