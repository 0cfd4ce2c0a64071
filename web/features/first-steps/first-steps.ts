/** What stands already; each is asked for as the first row of its list. */
export interface Begun {
  sites: boolean;
  sensors: boolean;
  assets: boolean;
  datapoints: boolean;
  rules: boolean;
  users: boolean;
  ruleAlerts: boolean;
}

export interface Step {
  name: string;
  /** What it is for, to somebody who sees it for the first time. */
  why: string;
  to: '/admin/sites' | '/admin/sensors' | '/admin/assets' | '/admin/datapoints' | '/admin/rules' | '/admin/users';
  search: { record: 'new'; tab?: 'alerts' };
  done: boolean;
}

/** The way from an empty plant to an alarm that reaches somebody, in the order in which each needs the one before. */
export function firstSteps(begun: Begun): Step[] {
  const made = { record: 'new' } as const;
  return [
    {
      name: 'Add a site',
      why: 'A place with devices, such as a pump station.',
      to: '/admin/sites',
      search: made,
      done: begun.sites,
    },
    {
      name: 'Register a sensor',
      why: 'The device that sends, with a channel for each value.',
      to: '/admin/sensors',
      search: made,
      done: begun.sensors,
    },
    {
      name: 'Add an asset',
      why: 'What is watched at the site, such as a wet well.',
      to: '/admin/assets',
      search: made,
      done: begun.assets,
    },
    {
      name: 'Add a data point',
      why: 'Shows a channel of the sensor at the asset.',
      to: '/admin/datapoints',
      search: made,
      done: begun.datapoints,
    },
    {
      name: 'Write a rule',
      why: 'The limits, and for how long a value must be out of them.',
      to: '/admin/rules',
      search: made,
      done: begun.rules,
    },
    {
      name: 'Invite people',
      why: 'Whoever is told, and the sites they see.',
      to: '/admin/users',
      search: made,
      done: begun.users,
    },
    {
      name: 'Say who is told',
      why: 'A rule alert joins a rule to people, and to who is next.',
      to: '/admin/rules',
      search: { ...made, tab: 'alerts' },
      done: begun.ruleAlerts,
    },
  ];
}

/**
 * Whether the plant is still being set up. Somebody who is told alone invites nobody, so that step does not count.
 */
export function settingUp(steps: readonly Step[]): boolean {
  return steps.some(({ done, to }) => !done && to !== '/admin/users');
}

/** The first step that is not done, or undefined. */
export function nextStep(steps: readonly Step[]): Step | undefined {
  return settingUp(steps) ? steps.find(({ done }) => !done) : undefined;
}
