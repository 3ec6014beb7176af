import { Component, type ComponentChild, type ComponentType } from 'preact'

/** A component that is drawn again only when one of its properties is another. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChild): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]) as Set<keyof Props>
      return [...names].some((name) => name !== 'children' as keyof Props && this.props[name as never] !== next[name])
    }

    override render(): ComponentChild {
      const Draw = draw as ComponentType<Props>
      return <Draw {...(this.props as Props)} />
    }
  }
}
