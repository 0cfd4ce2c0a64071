import { Button, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { parsePrice, type SmsPrice } from '../../../domain/money.ts';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { toast } from '../../ui/toast/toast.ts';
import { saveSmsPrice, smsPriceQuery } from '../customer/index.ts';
import classes from './SenderPage.module.css';

/** Form for the price of an SMS segment. The rule editor uses this price to estimate costs. */
export function SmsCost() {
  const stored = useQuery(smsPriceQuery);
  if (stored.isError) return <p className={classes.note}>{messageOf(stored.error)}</p>;
  if (stored.data === undefined) return null;
  return <Form key={JSON.stringify(stored.data)} stored={stored.data} />;
}

type Problems = Partial<Record<'price' | 'currency', string>>;

function Form({ stored }: { stored: SmsPrice | null }) {
  const client = useQueryClient();
  const [price, setPrice] = useState(stored ? String(stored.price) : '');
  const [currency, setCurrency] = useState(stored?.currency ?? '');
  const [problems, setProblems] = useState<Problems>({});
  const [saving, setSaving] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const number = parsePrice(price);
    const letters = currency.trim().toUpperCase();
    const wrong: Problems = {
      ...(price.trim() !== '' && number === null && { price: 'Enter a price, such as 0.075, or leave it empty.' }),
      ...(number !== null && !/^[A-Z]{3}$/.test(letters) && { currency: fieldSentences.currency }),
    };
    setProblems(wrong);
    if (wrong.price || wrong.currency) return;
    setSaving(true);
    try {
      await saveSmsPrice(client, number === null ? null : { price: number, currency: letters });
      toast.success(number === null ? 'Costs are no longer shown.' : 'The price was saved.');
    } catch (error) {
      const field = error instanceof GraphqlError && error.field === 'currency' ? 'currency' : 'price';
      setProblems({ [field]: messageOf(error) });
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className={classes.cost} noValidate onSubmit={(event) => void save(event)}>
      <TextInput
        label="Price of an SMS segment"
        inputMode="decimal"
        value={price}
        error={problems.price}
        onChange={(event) => setPrice(event.currentTarget.value)}
      />
      <TextInput
        label="Currency"
        placeholder="EUR"
        maxLength={3}
        value={currency}
        error={problems.currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={saving}>
        Save
      </Button>
    </form>
  );
}
