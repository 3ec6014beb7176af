import { options } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed: then it is drawn as a whole, before the browser looks at it. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(() => matchMedia('print').matches)
  useEffect(() => {
    const media = matchMedia('print')
    const set = (value: boolean): void => atOnce(() => setPrinting(value))
    const before = (): void => set(true)
    const after = (): void => set(false)
    const change = (): void => set(media.matches)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    media.addEventListener('change', change)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
      media.removeEventListener('change', change)
    }
  }, [])
  return isPrinting
}

/** Draws what follows from a change before it returns: what is printed is what is drawn when the event has ended. */
function atOnce(change: () => void): void {
  const { debounceRendering } = options
  options.debounceRendering = (draw) => draw()
  try {
    change()
  } finally {
    if (debounceRendering) options.debounceRendering = debounceRendering
    else delete options.debounceRendering
  }
}
