const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/**
 * UUID version 7 (RFC 9562): 48 bits of time, then 74 random bits.
 * @param now epoch milliseconds
 * @param random answers numbers in [0, 1)
 */
export function uuidv7(now: number, random: () => number): string {
  const bits = (count: number) => Math.floor(random() * 2 ** count);
  const time = hex(Math.max(0, Math.floor(now)) % 2 ** 48, 12);
  const tail = `${hex(bits(24), 6)}${hex(bits(24), 6)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(bits(12), 3)}-${hex(0x8000 + bits(14), 4)}-${tail}`;
}

/** Random numbers that two devices do not share; `Math.random` is seeded per context and may repeat. */
export function strongRandom(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}

/** An id of this moment: in the order of time, and of no other device. */
export const newId = (): string => uuidv7(Date.now(), strongRandom);
