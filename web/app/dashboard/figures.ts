/** Seconds as minutes and seconds, `4:10`; whole minutes, and an hour or more, as `12`. Rounds down. */
export function formatMinutes(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole >= 3600 || whole % 60 === 0) {
    return Math.floor(whole / 60).toLocaleString();
  }
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
