import { TbChevronDown } from 'react-icons/tb';
import classes from './FilterSelect.module.css';
import { type ListView, withFilter } from './list-view.ts';

interface FilterSelectProps {
  label: string;
  /** The filter's name in the view and the URL. */
  name: string;
  options: readonly { value: string; label: string }[];
  view: ListView;
  onViewChange: (next: ListView) => void;
}

/**
 * One filter of a list, shown as `Type All`. It is a native select, so that the keyboard, screen readers and phone
 * pickers work. A value from the URL that is not an option is shown too, because it still filters the list.
 */
export function FilterSelect({ label, name, options, view, onViewChange }: FilterSelectProps) {
  const value = view.filters[name] ?? '';
  const known = value === '' || options.some((option) => option.value === value);
  return (
    <label className={classes.filter} data-chosen={value !== '' || undefined}>
      <span className={classes.label}>{label}</span>
      <select value={value} onChange={(event) => onViewChange(withFilter(view, name, event.currentTarget.value))}>
        <option value="">All</option>
        {known ? null : <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <TbChevronDown size={14} strokeWidth={1.75} aria-hidden />
    </label>
  );
}
