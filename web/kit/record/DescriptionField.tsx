import { Textarea, type TextareaProps } from '@mantine/core';

/** The description of a record, limited to the server's maximum length. */
export function DescriptionField(props: TextareaProps) {
  return <Textarea autosize minRows={2} maxLength={2000} {...props} />;
}
