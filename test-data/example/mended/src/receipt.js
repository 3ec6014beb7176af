import { formatMoney } from './money.js'

/** The cart as text: a line for each item with the price of a piece, and the total below. */
export function receipt(cart) {
  const lines = cart.items.map(({ name, cents, quantity }) => `${quantity} x ${name} at ${formatMoney(cents)}  ${formatMoney(cents * quantity)}`)
  return [...lines, `Total  ${formatMoney(cart.total)}`].join('\n')
}
