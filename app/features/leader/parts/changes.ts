/** Of what a form would save, the parts that are not as it opened with: all else may be in another leader's hands by now. */
export function changesOf<Saved extends object>(opened: Saved, saved: Saved): Partial<Saved> {
  const parts = Object.entries(saved).filter(
    ([part, value]) => JSON.stringify(value) !== JSON.stringify(opened[part as keyof Saved]),
  );
  return Object.fromEntries(parts) as Partial<Saved>;
}
