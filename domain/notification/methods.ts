/** The stored number of each notification method. */
export const METHOD = { email: 1, whatsapp: 2, sms: 3, push: 4 } as const;
export type MethodType = (typeof METHOD)[keyof typeof METHOD];

export const methodNames: Readonly<Record<MethodType, string>> = {
  [METHOD.email]: 'e-mail',
  [METHOD.whatsapp]: 'WhatsApp',
  [METHOD.sms]: 'SMS',
  [METHOD.push]: 'app push',
};

/** Returns the name of a method with a capital letter: `App push`. */
export function methodTitle(method: number): string {
  const name = methodNames[method as MethodType] ?? 'message';
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
