import { useQuery } from '@tanstack/react-query';
import classes from './AuditChanges.module.css';
import { namesOfKeysQuery } from './audit.queries.ts';
import { changesOf, type FieldChange, keysIn } from './audit-diff.ts';

/**
 * Table of the values before and after a change. Each uuid is replaced with the name of its record when the names have
 * loaded.
 */
export function AuditChanges({ before, after }: { before: unknown; after: unknown }) {
  const changes = changesOf(before, after);
  const names = useQuery(namesOfKeysQuery(keysIn(changes))).data ?? noNames;
  if (changes.length === 0) {
    return <p>No recorded field changed. Secrets, such as passwords, are never recorded.</p>;
  }
  return (
    <table className={classes.changes} aria-label="Changed fields">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Change key={change.column} change={change} names={names} />
        ))}
      </tbody>
    </table>
  );
}

type Names = ReadonlyMap<string, string>;
const noNames: Names = new Map();

function Change({ change, names }: { change: FieldChange; names: Names }) {
  return (
    <tr>
      <th scope="row">{change.label}</th>
      <Side text={change.before} names={names} absent="Did not exist" />
      <Side text={change.after} names={names} absent="Deleted" />
    </tr>
  );
}

function Side({ text, names, absent }: { text: string | null; names: Names; absent: string }) {
  const words = text === null ? absent : text === '' ? 'Empty' : null;
  return words === null ? <td>{names.get(text ?? '') ?? text}</td> : <td data-nothing>{words}</td>;
}
