import { createElement, type ReactElement } from 'react'

import type { Markup } from './markup.ts'

/** Markup as React elements; their order never changes but with the whole picture. */
export const MarkupView = ({ markup }: { markup: Markup }) => toElement(markup)

const toElement = ({ tag, attributes, children }: Markup): ReactElement =>
  createElement(tag, attributes, ...children.map((child) => (typeof child === 'string' ? child : toElement(child))))
