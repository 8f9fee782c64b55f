'use client'

import { Component, type ReactNode } from 'react'

interface PlainFallbackProps {
  fallback: ReactNode
  children: ReactNode
}

/** Shows something simpler when its children cannot be rendered. */
export class PlainFallback extends Component<PlainFallbackProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
