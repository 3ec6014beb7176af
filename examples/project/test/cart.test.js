import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cart } from '../src/cart.js'

test('an empty cart costs nothing', () => {
  assert.equal(new Cart().total, 0)
})

test('the total counts pieces', () => {
  assert.equal(new Cart().add('tea', 3.5, 2).add('jam', 4.2).total, 1120)
})
