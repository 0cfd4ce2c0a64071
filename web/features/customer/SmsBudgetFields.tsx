import { TextInput, type TextInputProps } from '@mantine/core';
import type { BudgetTexts } from '../../../domain/notification/sms-budget.ts';

interface SmsBudgetFieldsProps {
  labels: Readonly<Record<keyof BudgetTexts, string>>;
  /** Help text below the first field. */
  description?: string;
  inputProps: (field: keyof BudgetTexts) => TextInputProps;
}

/** Input fields for the SMS budgets per day and per month. */
export function SmsBudgetFields({ labels, description, inputProps }: SmsBudgetFieldsProps) {
  const field = (name: keyof BudgetTexts, below?: string) => (
    <TextInput
      label={labels[name]}
      description={below}
      placeholder="No limit"
      inputMode="numeric"
      maxLength={9}
      autoComplete="off"
      {...inputProps(name)}
    />
  );
  return (
    <>
      {field('smsDayBudget', description)}
      {field('smsMonthBudget')}
    </>
  );
}
