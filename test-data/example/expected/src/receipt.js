import { formatMoney } from './money.js'

/** The cart as text: a line for each item at its full price, and below the total with its discounts. */
export function receipt(cart) {
  const lines = cart.items.map(({ name, cents, quantity }) => `${quantity} x ${name}  ${formatMoney(cents * quantity)}`)
  return [...lines, `Total  ${formatMoney(cart.total)}`].join('\n')
}
