import type { ComponentChildren } from 'preact'
import { visiblePieces } from '../visible-text.js'
import type { Token } from './highlight.js'
import { useRemembered } from './view.js'

/** Text whose control and bidirectional characters can be seen. */
export function Visible({ text }: { text: string }): ComponentChildren {
  const pieces = visiblePieces(text)
  const [first] = pieces
  if (pieces.length === 1 && first && !first.isControl) return first.text
  return <>{pieces.map(({ text: piece, isControl }) => (
    isControl ? <span class="control" title="A character that cannot be seen">{piece}</span> : piece
  ))}</>
}

/** UTF-16 units of a line that are shown at once, and of each piece of a longer one. */
const LONGEST = 2000

/** A line without its far end, which is folded. @param place unique in the page */
export function LongLine({ text, place }: { text: string; place: string }): ComponentChildren {
  if (text.length <= LONGEST * 1.2) return <Visible text={text} />
  return <Unfolding text={text} place={place} />
}

function Unfolding({ text, place }: { text: string; place: string }) {
  const [shown, setShown] = useRemembered(place, LONGEST)
  const pieces = Array.from({ length: Math.ceil(Math.min(shown, text.length) / LONGEST) }, (_, index) => (
    text.slice(index * LONGEST, Math.min(shown, (index + 1) * LONGEST))
  ))
  const left = text.length - shown
  return <>
    {pieces.map((piece, index) => <span key={index} class="piece"><Visible text={piece} /></span>)}
    {left > 0 && <MoreButton onClick={() => setShown(shown * 8)}>
      {`… ${left.toLocaleString('en')} more characters in this line: show ${left > shown * 7 ? 'more' : 'all'}`}
    </MoreButton>}
  </>
}

/** Folds something out. */
export function MoreButton({ onClick, children }: { onClick: () => void; children: ComponentChildren }) {
  return <button type="button" class="more" onClick={onClick}>{children}</button>
}

/** Pieces of a line in their colours. @param changed what differs from the line's counterpart */
export function Tokens(
  { tokens, changed }: { tokens: readonly Token[]; changed?: { start: number; end: number } | undefined },
) {
  const pieces = changed ? marked(tokens, changed) : tokens.map((token) => ({ ...token, isChanged: false }))
  return <>{pieces.map(({ text, scope, isChanged }) => {
    const names = [...(scope === undefined ? [] : [`tok-${scope}`]), ...(isChanged ? ['changed'] : [])]
    return names.length === 0 ? <Visible text={text} /> : <span class={names.join(' ')}><Visible text={text} /></span>
  })}</>
}

function marked(
  tokens: readonly Token[], { start, end }: { start: number; end: number },
): (Token & { isChanged: boolean })[] {
  let at = 0
  return tokens.flatMap((token) => {
    const cuts = [0, start - at, end - at, token.text.length].map((cut) =>
      Math.min(Math.max(cut, 0), token.text.length))
    const from = at
    at += token.text.length
    return cuts.slice(1).flatMap((cut, index) => {
      const begin = cuts[index] ?? 0
      if (cut <= begin) return []
      return [{ ...token, text: token.text.slice(begin, cut), isChanged: from + begin >= start && from + cut <= end }]
    })
  })
}
