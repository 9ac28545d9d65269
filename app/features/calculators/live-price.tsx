import './calculator.css';
import { useQuery } from '@tanstack/react-query';
import { stampTime } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Decimal } from './decimal.ts';
import { price } from './shown.ts';

const FRESH_MS = 60_000;

/**
 * Prices offered by this instance's operator, to fill into a field. Without offers or an answer nothing is drawn: every
 * calculator works without them.
 */
export function LivePrice({ field, onPrice }: { field: string; onPrice: (plain: string) => void }) {
  const { data, refetch } = useQuery({ ...read('GET /api/prices'), staleTime: FRESH_MS, retry: false });
  if (!data?.offered) return null;
  const coins = Object.entries(data.usd);
  const time = data.asOf === null ? '' : stampTime(data.asOf);
  const again = (
    <Button kind="words" icon="retry" onClick={() => void refetch()}>
      {m.calc_price_again()}
    </Button>
  );
  if (coins.length === 0)
    return (
      <div className="calculator__price">
        <p className="text-small text-muted">{m.calc_price_none()}</p>
        {again}
      </div>
    );
  return (
    <div className="calculator__price">
      <Select
        label={m.calc_price_live()}
        hint={data.failing ? m.calc_price_failing({ time }) : m.calc_price_as_of({ time, field })}
        options={[
          { value: '', label: m.calc_price_choose() },
          ...coins.map(([coin, usd]) => ({
            value: coin,
            label: m.calc_price_option({ coin, price: price(new Decimal(usd)) }),
          })),
        ]}
        value=""
        onValue={(coin) => {
          const plain = data.usd[coin];
          if (plain !== undefined) onPrice(plain);
        }}
      />
      {data.failing && again}
    </div>
  );
}
