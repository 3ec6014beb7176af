/** A map of either kind, as far as values are looked up and kept. */
interface Keeping<Key, Value> {
  has(key: Key): boolean
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value of a key, which is made and kept where the map has none. */
export function valueAt<Key, Value>(map: Keeping<Key, Value>, key: Key, make: () => NoInfer<Value>): Value {
  const known = map.get(key)
  if (known !== undefined || map.has(key)) return known as Value
  const value = make()
  map.set(key, value)
  return value
}

/** Adds to the list of a key. */
export function addTo<Key, Item>(lists: Keeping<Key, Item[]>, key: Key, ...items: NoInfer<Item>[]): void {
  const list = lists.get(key)
  if (list) list.push(...items)
  else lists.set(key, items)
}
