import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { FigureRecorder } from './figure-recorder.ts'

/** A client for one figure, so that its data can be pinned. Pass it to the `QueryClientProvider` around the figure. */
export function useRecorder(): FigureRecorder {
  const shared = useQueryClient()
  return useState(() => new FigureRecorder(shared))[0]
}
