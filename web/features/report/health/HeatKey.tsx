import classes from './HeatTable.module.css';

const keys = ['97 and over', '93 to 97', '85 to 93', '65 to 85', 'under 65'];

/** Legend of the heat colours. */
export function HeatKey() {
  return (
    <div className={classes.key}>
      <span>Expected data received (%)</span>
      {keys.map((words, heat) => (
        <i key={words} data-heat={heat}>
          {words}
        </i>
      ))}
    </div>
  );
}
