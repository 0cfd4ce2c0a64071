/** Sparkplug B topics: `spBv1.0/<group>/<type>/<edge node>`, plus `/<device>` for a device behind the node. */
export const SPARKPLUG = 'spBv1.0/';

export const sparkplugTypes = ['NBIRTH', 'NDATA', 'NDEATH', 'DBIRTH', 'DDATA', 'DDEATH'] as const;
export type SparkplugType = (typeof sparkplugTypes)[number];

export interface SparkplugTopic {
  group: string;
  type: SparkplugType;
  node: string;
  /** Device behind the edge node; undefined for messages of the edge node itself. */
  device: string | undefined;
}

/** Parses the topic of a birth, data or death message. Returns undefined for other topics, such as commands. */
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

/** Returns the topic of commands for an edge node or a device behind it. */
export function commandTopic({ group, node, device }: Pick<SparkplugTopic, 'group' | 'node' | 'device'>): string {
  return device === undefined ? `${SPARKPLUG}${group}/NCMD/${node}` : `${SPARKPLUG}${group}/DCMD/${node}/${device}`;
}

/**
 * Returns the kind of commands that a subscription covers: NCMD for the node, or DCMD for its devices. Undefined for
 * other filters.
 */
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

/**
 * Returns the possible uids of an edge node or of a device behind it. The second uid of a device applies if another
 * node has a device of the same name.
 */
export function possibleUids({ node, device }: Pick<SparkplugTopic, 'node' | 'device'>): string[] {
  return device === undefined ? [node] : [device, `${node}:${device}`];
}
