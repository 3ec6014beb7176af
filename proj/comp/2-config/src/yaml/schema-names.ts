/** What schemas of valibot may hold further schemas in. */
interface Holder {
  type?: string
  entries?: Record<string, Holder>
  wrapped?: Holder
  item?: Holder
  value?: Holder
  options?: readonly Holder[]
  pipe?: readonly Holder[]
}

/** The names that an object may have at a path of a schema. */
export function namesAt(schema: object, path: readonly (string | number)[]): string[] {
  return path.reduce<Holder[]>(
    (holders, key) => holders.flatMap((holder) => below(holder, key)), open(schema as Holder),
  )
    .flatMap(({ entries }) => Object.keys(entries ?? {}))
}

function below({ entries, item, value }: Holder, key: string | number): Holder[] {
  const inner = entries && Object.hasOwn(entries, key) ? entries[key] : item ?? value
  return inner ? open(inner) : []
}

/** The schema itself, without what is wrapped around it; of a choice each. */
function open(holder: Holder): Holder[] {
  if (holder.wrapped) return open(holder.wrapped)
  if (holder.options && holder.type === 'union') return holder.options.flatMap(open)
  return [holder]
}
