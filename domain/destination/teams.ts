import { alarmLinks, type ComposedDelivery, canAcknowledge } from './event.ts';
import { digestLines, digestTitle, eventNote, eventTitle, TEST_TEXT, valueText } from './words.ts';

/** Composes a message with an Adaptive Card, for a workflow of Microsoft Teams that posts the cards of webhook requests. */
export function teamsBody({ content, publicUrl }: ComposedDelivery): object {
  if (content.kind === 'test') return card([line(TEST_TEXT)], []);
  if (content.kind === 'digest') {
    const url = `${publicUrl.replace(/\/$/, '')}/dashboard/alarms`;
    return card(
      [heading(digestTitle(content.events)), ...digestLines(content.events).map(line)],
      [open('Open alarms', url)],
    );
  }
  const { alarm } = content;
  const links = alarmLinks(publicUrl, alarm.uuid);
  const facts = [
    { title: 'Site', value: plain(alarm.site.name) },
    ...(valueText(alarm) ? [{ title: 'Value', value: plain(valueText(alarm)) }] : []),
  ];
  const note = eventNote(content);
  return card(
    [heading(eventTitle(content)), line(alarm.message), ...(note ? [line(note)] : []), { type: 'FactSet', facts }],
    [...(canAcknowledge(alarm) ? [open('Acknowledge', links.acknowledge)] : []), open('Open alarm', links.alarm)],
  );
}

function card(body: readonly object[], actions: readonly object[]): object {
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body,
          actions,
        },
      },
    ],
  };
}

const heading = (text: string) => ({
  type: 'TextBlock',
  text: plain(text),
  weight: 'Bolder',
  size: 'Medium',
  wrap: true,
});
const line = (text: string) => ({ type: 'TextBlock', text: plain(text), wrap: true });
const open = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });

/** Escapes Markdown, which cards render, so that a name cannot make links. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]()#]/g, '\\$&');
}
