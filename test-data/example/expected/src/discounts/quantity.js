/** From this many pieces of one item on there is a discount. */
export const FROM = 10
const RATE = 0.1

/** The price of `quantity` pieces at `cents` each, in whole cents. */
export function discounted(cents, quantity) {
  const full = cents * quantity
  return quantity >= FROM ? Math.round(full * (1 - RATE)) : full
}
