import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TbX } from 'react-icons/tb';
import classes from './CommandForm.module.css';
import { parseTemplates, type Template, withTemplate } from './templates.ts';

const KEY = 'command-templates';

function read(): Template[] {
  try {
    return parseTemplates(localStorage.getItem(KEY));
  } catch {
    return [];
  }
}

function write(templates: readonly Template[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(templates));
  } catch {
    // If local storage is unavailable, the templates are lost when the page is closed.
  }
}

/** Lists the saved commands. The user can choose or delete a command, or save the current command. */
export function Templates({ command, onChoose }: { command: string; onChoose: (command: string) => void }) {
  const [templates, setTemplates] = useState(read);
  const [name, setName] = useState('');
  const change = (next: Template[]) => {
    write(next);
    setTemplates(next);
  };
  return (
    <section className={classes.templates} aria-label="Templates">
      {templates.map((template) => (
        <span key={template.name} className={classes.template}>
          <button type="button" title={template.command} onClick={() => onChoose(template.command)}>
            {template.name}
          </button>
          <button
            type="button"
            aria-label={`Remove the template ${template.name}`}
            onClick={() => change(templates.filter((other) => other.name !== template.name))}
          >
            <TbX size={14} strokeWidth={1.75} aria-hidden />
          </button>
        </span>
      ))}
      <div className={classes.keep}>
        <TextInput
          label="Save as template"
          placeholder="Template name"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={name.trim() === '' || command.trim() === ''}
          onClick={() => {
            change(withTemplate(templates, { name: name.trim(), command: command.trim() }));
            setName('');
          }}
        >
          Save template
        </Button>
      </div>
      <p>Templates are stored in this browser only.</p>
    </section>
  );
}
