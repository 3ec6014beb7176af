import { createContext } from 'preact'
import type { ItemState } from '../run-page-model.js'
import { useCallback, useContext, useState } from 'preact/hooks'

/** How diffs are laid out. */
export type DiffMode = 'side' | 'inline'

/** What all parts of the page need to know of how it is looked at. */
export interface View {
  diffMode: DiffMode
  /** Everything is drawn, however far down. */
  isPrinting: boolean
  /** What is folded out, by place: it stays so when its card was out of sight. */
  memory: Map<string, unknown>
  /** What states are called here, where not as everywhere. */
  words?: StateWords | undefined
}

export type StateWords = Readonly<Partial<Record<ItemState, string>>>

export const ViewContext = createContext<View>({ diffMode: 'side', isPrinting: false, memory: new Map() })

/** As `useState`, but kept while the page is open. @param place unique in the page */
export function useRemembered<T>(place: string, initial: T): [T, (value: T) => void] {
  const { memory } = useContext(ViewContext)
  const [value, setValue] = useState<T>(() => (memory.has(place) ? memory.get(place) as T : initial))
  const change = useCallback((next: T) => {
    memory.set(place, next)
    setValue(next)
  }, [memory, place])
  return [value, change]
}
