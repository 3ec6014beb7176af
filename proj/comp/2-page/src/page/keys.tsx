import { useEffect, useRef } from 'preact/hooks'

export interface KeyBinding {
  /** As `KeyboardEvent.key`. */
  key: string
  /** What it does, for the list of keys. */
  does: string
  run: (event: KeyboardEvent) => void
  /** Also while something is typed into a field. */
  inFields?: boolean
}

/** Listens to keys of the whole page; those with Ctrl, Alt or Meta stay the browser's. */
export function useKeys(bindings: readonly KeyBinding[]): void {
  const current = useRef(bindings)
  current.current = bindings
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.isComposing) return
      const { target } = event
      const isField = target instanceof HTMLElement
        && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
      const binding = current.current.find(({ key, inFields }) => key === event.key && (!isField || inFields))
      // Enter is for what has the focus, where that is a control of its own.
      const isControl = target instanceof HTMLElement
        && target.matches('button:not(.card-toggle), a, summary, input, select, textarea')
      if (!binding || (event.key === 'Enter' && isControl)) return
      event.preventDefault()
      binding.run(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** The list of keys, over the page. */
export function KeysDialog(
  { bindings, isOpen, onClose }: { bindings: readonly KeyBinding[]; isOpen: boolean; onClose: () => void },
) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  const rows = bindings.filter(({ does }) => does !== '')
  return <dialog ref={dialog} class="keys" aria-labelledby="keys-title" onClose={onClose}>
    <h2 id="keys-title">Keys</h2>
    <dl>{rows.map(({ key, does }) =>
      <div key={key}><dt><kbd>{key === ' ' ? 'Space' : key}</kbd></dt><dd>{does}</dd></div>)}</dl>
    <button type="button" onClick={onClose}>Close</button>
  </dialog>
}
