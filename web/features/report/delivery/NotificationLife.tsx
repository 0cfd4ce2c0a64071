import { Link } from '@tanstack/react-router';
import { METHOD, methodTitle } from '../../../../domain/notification/methods.ts';
import { At } from '../../../kit/format/At.tsx';
import { lifeOf } from '../../notification/index.ts';
import type { DeliveryRow } from './delivery.queries.ts';
import classes from './NotificationLife.module.css';

/** Shows all delivery steps of a message and its full text. */
export function NotificationLife({ message }: { message: DeliveryRow }) {
  return (
    <div className={classes.life}>
      <p>{message.notifyMessage}</p>
      {message.methodType === METHOD.push ? null : (
        <p>
          {methodTitle(message.methodType)} to {message.recipientName}, {message.address}
        </p>
      )}
      <ol>
        {lifeOf(message).map((step) => (
          <li key={`${step.at} ${step.words}`}>
            <At at={step.at} /> {step.words}
            {step.answer ? `: ${step.answer}` : ''}
          </li>
        ))}
        {message.ackTime === null ? null : (
          <li>
            <At at={message.ackTime} /> Acknowledged by {message.ackByRecipientName}
          </li>
        )}
      </ol>
      {message.tocsinAlarmUuid ? (
        <Link to="/dashboard/alarms/$uuid" params={{ uuid: message.tocsinAlarmUuid }}>
          Open the alarm
        </Link>
      ) : null}
    </div>
  );
}
