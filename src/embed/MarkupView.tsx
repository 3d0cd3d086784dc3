import { createElement, Fragment, type ReactNode } from 'react'

import type { Markup } from './markup.ts'

/** Markup as React elements. Their order only changes with the whole page, so the index is a stable key. */
export const MarkupView = ({ parts }: { parts: readonly (Markup | string)[] }) =>
  createElement(Fragment, {}, ...parts.map(toNode))

const toNode = (part: Markup | string): ReactNode =>
  typeof part === 'string' ? part : createElement(part.tag, part.attributes, ...part.children.map(toNode))
