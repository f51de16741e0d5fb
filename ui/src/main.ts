import { mount } from 'svelte';

import App from './App.svelte';
import Asking from './pages/Asking.svelte';
import { languages, speak } from './speech.svelte';
import { Appearance } from './state/appearance.svelte';
import { consentAsked, teamAsked } from './state/consent';
import { recall } from './state/remembered';
import './style/tokens.css';
import './style/base.css';

// `npm run dev` shows the window on the in-memory backend; every other build has only the real one.
const backend =
  import.meta.env.MODE === 'memory'
    ? (await import('./backend/memory')).memoryFromAddress()
    : (await import('./backend/tauri')).tauri;

// The language of the last run is here before the first frame; the first snapshot corrects it.
const spokenLast = () => speak(recall('language', languages) ?? 'en').catch(() => {});
await spokenLast();

// It looks as chosen from its first frame on.
new Appearance(backend).start();

// The consent window is another page of the same program; the shell opens it at this address. It hears of a change of
// the language from the main window.
if (consentAsked() === null && teamAsked() === null) mount(App, { target: document.body, props: { backend } });
else {
  addEventListener('storage', () => void spokenLast());
  mount(Asking, { target: document.body, props: { backend } });
}
