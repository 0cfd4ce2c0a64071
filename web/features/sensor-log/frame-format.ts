export const frameFormatWords: Readonly<Record<string, string>> = {
  auto: 'Auto-detect',
  json: 'JSON',
  'key-value': 'Pairs, such as 1=20.5;2=1',
  csv: 'CSV',
};
