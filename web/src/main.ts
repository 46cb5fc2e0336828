// Shows the document that came with the page.

import {comparePage} from './compare_page';
import {loadDocument} from './document';
import type {PageDocument} from './document';
import {element} from './dom';
import {runPage} from './run_page';
import {startTheme} from './theme';

function show(page: PageDocument, place: HTMLElement): void {
  place.replaceChildren(...(page.kind === 'run' ? runPage(page) : comparePage(page)));
}

async function start(): Promise<void> {
  const place = document.getElementById('page')!;
  startTheme();
  try {
    show(await loadDocument(), place);
  } catch (error) {
    place.replaceChildren(element('p', {class: 'fallback', role: 'alert'}, `This report cannot be shown: ${String(error)}`));
    throw error;
  }
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

void start();
