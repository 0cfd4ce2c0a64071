import { shorten } from '../shorten.ts';
import { alarmLinks, type ComposedDelivery, canAcknowledge, type PostedEvent } from './event.ts';
import { digestLines, digestTitle, eventNote, eventTitle, TEST_TEXT, valueText } from './words.ts';

/** Maximum length of a section in Slack. */
const MOST = 3000;

/** Composes a message for a Slack incoming webhook: a text for the notification, and blocks for the channel. */
export function slackBody({ content, publicUrl }: ComposedDelivery): object {
  if (content.kind === 'test') return { text: TEST_TEXT };
  if (content.kind === 'digest') {
    const title = digestTitle(content.events);
    const lines = digestLines(content.events).map((line) => `• ${escapeSlack(line)}`);
    return {
      text: escapeSlack(title),
      blocks: [
        section(`*${escapeSlack(title)}*\n${lines.join('\n')}`),
        actions([{ text: 'Open alarms', url: `${publicUrl.replace(/\/$/, '')}/dashboard/alarms` }]),
      ],
    };
  }
  return eventMessage(content, publicUrl);
}

function eventMessage(event: PostedEvent, publicUrl: string): object {
  const { alarm } = event;
  const title = eventTitle(event);
  const links = alarmLinks(publicUrl, alarm.uuid);
  const lines = [alarm.message, eventNote(event), valueText(alarm) && `Value: ${valueText(alarm)}`].filter(Boolean);
  const buttons = [{ text: 'Open alarm', url: links.alarm }];
  if (canAcknowledge(alarm)) buttons.unshift({ text: 'Acknowledge', url: links.acknowledge });
  return {
    text: escapeSlack(shorten(`${title}: ${alarm.message}`, 500)),
    blocks: [section(`*${escapeSlack(title)}*\n${lines.map(escapeSlack).join('\n')}`), actions(buttons)],
  };
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text: shorten(text, MOST) } });
const actions = (buttons: readonly { text: string; url: string }[]) => ({
  type: 'actions',
  elements: buttons.map(({ text, url }) => ({ type: 'button', text: { type: 'plain_text', text }, url })),
});

/** Escapes the characters that Slack reads as markup, so that a name cannot mention people or make links. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
