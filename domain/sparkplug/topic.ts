/** The topics of Sparkplug B: `spBv1.0/<group>/<type>/<edge node>` and, for what is behind it, `/<device>`. */
export const SPARKPLUG = 'spBv1.0/';

export const sparkplugTypes = ['NBIRTH', 'NDATA', 'NDEATH', 'DBIRTH', 'DDATA', 'DDEATH'] as const;
export type SparkplugType = (typeof sparkplugTypes)[number];

export interface SparkplugTopic {
  group: string;
  type: SparkplugType;
  node: string;
  /** Undefined for what the edge node says about itself. */
  device: string | undefined;
}

/** Who publishes what; undefined for every other topic, such as those of commands. */
export function parseTopic(topic: string): SparkplugTopic | undefined {
  const [namespace, group, name, node, device, ...more] = topic.split('/');
  const type = sparkplugTypes.find((known) => known === name);
  if (`${namespace}/` !== SPARKPLUG || !type || more.length > 0) {
    return undefined;
  }
  if (!isName(group) || !isName(node) || (type.startsWith('D') ? !isName(device) : device !== undefined)) {
    return undefined;
  }
  return { group, type, node, device };
}

function isName(text: string | undefined): text is string {
  return text !== undefined && text !== '' && !/[+#]/.test(text);
}

/** Where commands for an edge node or for a device behind it go. */
export function commandTopic({ group, node, device }: Pick<SparkplugTopic, 'group' | 'node' | 'device'>): string {
  return device === undefined ? `${SPARKPLUG}${group}/NCMD/${node}` : `${SPARKPLUG}${group}/DCMD/${node}/${device}`;
}

/** Whose commands an edge node asks for with a subscription: its own, or those of its devices; undefined for any other. */
export function commandSubscription(filter: string, node: string): 'NCMD' | 'DCMD' | undefined {
  const [namespace, group, type, name, ...rest] = filter.split('/');
  if (`${namespace}/` !== SPARKPLUG || !isName(group) || name !== node || rest.length > 1) {
    return undefined;
  }
  const device = rest[0];
  if (type === 'NCMD') {
    return device === undefined || device === '#' ? type : undefined;
  }
  return type === 'DCMD' && device !== undefined && device !== '' ? type : undefined;
}

/** The uids that a device behind an edge node may have: the second where another node has a device of that name. */
export function possibleUids({ node, device }: Pick<SparkplugTopic, 'node' | 'device'>): string[] {
  return device === undefined ? [node] : [device, `${node}:${device}`];
}
