import { mount } from 'svelte';

import App from './App.svelte';
import Consent from './pages/Consent.svelte';
import { Appearance } from './state/appearance.svelte';
import { consentAsked } from './state/consent';
import './style/tokens.css';
import './style/base.css';

// `npm run dev` shows the window on the in-memory backend; every other build has only the real one.
const backend =
  import.meta.env.MODE === 'memory'
    ? (await import('./backend/memory')).memoryFromAddress()
    : (await import('./backend/tauri')).tauri;

// It looks as chosen from its first frame on.
new Appearance(backend).start();

// The consent window is another page of the same program; the shell opens it at this address.
if (consentAsked() === null) mount(App, { target: document.body, props: { backend } });
else mount(Consent, { target: document.body, props: { backend } });
