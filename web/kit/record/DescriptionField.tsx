import { Textarea, type TextareaProps } from '@mantine/core';

/** The words about a record that nobody judges by, as long as the server keeps them. */
export function DescriptionField(props: TextareaProps) {
  return <Textarea autosize minRows={2} maxLength={2000} {...props} />;
}
