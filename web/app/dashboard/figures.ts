/**
 * Formats seconds as minutes and seconds, such as `4:10`. Whole minutes, and durations of an hour or more, are shown in
 * minutes only, such as `12`. Rounds down.
 */
export function formatMinutes(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole >= 3600 || whole % 60 === 0) {
    return Math.floor(whole / 60).toLocaleString();
  }
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
