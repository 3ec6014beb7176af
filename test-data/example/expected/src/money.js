/** Amounts are whole cents. */
export function toCents(amount) {
  return Math.round(amount * 100)
}

/** `1234` is `12.34`. */
export function formatMoney(cents) {
  return (cents / 100).toFixed(2)
}
