import { toCents } from './money.js'

export class Cart {
  items = []

  /** Adds `quantity` pieces of an item at `price` each. */
  add(name, price, quantity = 1) {
    if (!(Number.isInteger(quantity) && quantity >= 1)) throw new RangeError('quantity must be 1 or more, and whole')
    this.items.push({ name, cents: toCents(price), quantity })
    return this
  }

  /** The sum of all items in cents. */
  get total() {
    return this.items.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
  }
}
