import { readPhoneNumber } from '../../domain/notification/phone-number.ts';

export function checkPhoneNumber(address: string): string | undefined {
  return readPhoneNumber(address) === undefined
    ? 'This is not a phone number with a country code, such as +49 170 1234567, so nothing was sent.'
    : undefined;
}
