import { IconChevronDown } from '@tabler/icons-react';
import classes from './Filters.module.css';

interface FilterSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

/** One of many, or all of them: the name of the filter and what it lets through, in one control. */
export function FilterSelect({ label, value, options, onChange }: FilterSelectProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <label className={classes.filter} data-on={value !== '' || undefined}>
      {label} <b>{chosen?.label ?? 'All'}</b>
      <IconChevronDown size={14} stroke={1.75} aria-hidden />
      <select aria-label={label} value={chosen ? value : ''} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">All</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
