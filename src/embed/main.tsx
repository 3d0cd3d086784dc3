import '#src/app/no-eval.ts'
import './embed.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { EmbedPage } from './EmbedPage.tsx'

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <EmbedPage />
    </StrictMode>,
  )
