/** The fields that differ from the opened form: another leader may have changed the others since. */
export function changesOf<Saved extends object>(opened: Saved, saved: Saved): Partial<Saved> {
  const parts = Object.entries(saved).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(opened[part as keyof Saved]),
  );
  return Object.fromEntries(parts) as Partial<Saved>;
}
