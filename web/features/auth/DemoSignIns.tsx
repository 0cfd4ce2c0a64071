import classes from './auth.module.css';

const PASSWORD = 'tocsin-demo-plant';

const people = [
  { name: 'Owner', email: 'owner@demo.example' },
  { name: 'Manager', email: 'manager@demo.example' },
  { name: 'Operator', email: 'operator@demo.example' },
  { name: 'Partner account', email: 'partner@demo.example' },
];

/** Lists the demo accounts in demo mode. A click on an account fills in the login form. */
export function DemoSignIns({ onChoose }: { onChoose: (email: string, password: string) => void }) {
  return (
    <section className={classes.demo} aria-labelledby="demo-sign-ins">
      <h2 id="demo-sign-ins">Demo plant</h2>
      <p>Choose an account to fill in the form.</p>
      {people.map((person) => (
        <button
          key={person.email}
          type="button"
          className={classes.demoItem}
          onClick={() => onChoose(person.email, PASSWORD)}
        >
          <b>{person.name}</b>
          <span>{person.email}</span>
        </button>
      ))}
    </section>
  );
}
