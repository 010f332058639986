/**
 * Whole games in a real browser, on a real broker and daemon: the captain taps, hands move the
 * virtual ships, and the TV shows what it should after each step.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { piecesOf } from '../../scoreboard/src/words.js';
import { openBrowser } from './browser.mjs';
import { Crew } from './crew.mjs';
import { Harbour } from './servers.mjs';
import { closeAll } from './waiting.mjs';

const [GREEN, YELLOW] = ['green', 'yellow'].map(piecesOf);
const BARRELS = 'red:green,green:blue,blue:red,yellow:red';

describe('a whole game', () => {
    let browser;
    let harbour;

    before(async () => {
        harbour = await Harbour.open();
        browser = await openBrowser();
    });

    after(() =>
        closeAll(
            () => browser.close(),
            () => harbour.close(),
        ),
    );

    async function play(table, wish, game) {
        await harbour.startTable(table, { house: { barrels: BARRELS } });
        const crew = await Crew.open(browser, harbour, table);
        await crew.startGame(wish);
        await game(crew);
        await crew.close();
        await harbour.endTable(table);
    }

    /** One ball may topple several pieces, and all of them count (S3). */
    async function destroy(crew, ...pieces) {
        await crew.tap('fire');
        for (const piece of pieces) {
            await crew.tap('topple', { piece });
        }
    }

    async function endSteps(crew, count) {
        for (let step = 0; step < count; step++) {
            await crew.tap('end-phase');
        }
    }

    test('without a scenario: shots, moves and close combat decide it', () =>
        play('none', { names: ['Anna', 'Ben'] }, async (crew) => {
            await crew.expectBoard('Anna | Shooting | 0:0 | Anna is on turn.');
            await crew.shootAt('green-2', 'red-2');
            await crew.expectBoard('Anna | Moving | 1:0 | The shot is over.');
            await crew.expectPiece('green-2', 'captured by Anna');
            await crew.tap('roll-move', { value: 3 });
            await crew.expectBoard('Anna | Moving | 1:0 | Anna rolls 3.');
            await crew.tap('select', { piece: 'red-1' });
            await crew.tap('move', { piece: 'red-1', knots: 2 });
            await crew.expectBoard('Anna | Moving | 1:0 | Red 1 sails 2; knots left: 1.');
            await crew.expectNotOffered('move', { piece: 'red-1', knots: 2 });
            await crew.tap('end-phase');
            await crew.tap('engage', { attacker: 'red-1', target: 'yellow-1' });
            await crew.expectBoard('Anna | Close combat | 1:0 | Red 1 attacks Yellow 1.');
            await crew.expectNotOffered('end-phase');
            await crew.tap('roll-combat', {
                attacker: 'red-1',
                target: 'yellow-1',
                value: 'swords',
            });
            await crew.expectBoard(
                'Anna | Close combat | 1:0 | Red 1 and Yellow 1 cross swords; it goes on.',
            );
            await crew.expectPiece('red-1', 'in close combat');
            await crew.tap('end-phase');
            await crew.expectBoard('Ben | Shooting | 1:0 | Ben is on turn.');
            await crew.tap('end-phase');
            await crew.tap('end-phase');
            await crew.tap('roll-combat', { attacker: 'red-1', target: 'yellow-1', value: 'flag' });
            await crew.expectBoard(
                'Ben | Close combat | 1:1 | The fight of Red 1 and Yellow 1 is over.',
            );
            await crew.expectPiece('red-1', 'captured by Ben');
            await crew.tap('undo');
            await crew.expectBoard('Ben | Close combat | 1:0 | The last step was taken back.');
            await crew.tap('roll-combat', { attacker: 'red-1', target: 'yellow-1', value: 'flag' });
            await crew.tap('end-phase');
            await destroy(crew, 'green-1', 'green-3', 'green-tower');
            await crew.expectBoard('Anna | Shooting | 5:1 | Anna captures Green tower.');
            await endSteps(crew, 6);
            await destroy(crew, ...YELLOW);
            await crew.expectBoard('Anna won! | 10:1 | The game is over. Anna won!');
            assert.deepEqual(await crew.tv.locator('.ranking li .name').allTextContents(), [
                'Anna',
                'Ben',
            ]);
        }));

    test('treasure island: the chest is taken, lost, and counts at the end (TI)', () =>
        play('treasure', { names: ['Anna', 'Ben'], scenario: 'treasure-island' }, async (crew) => {
            await crew.tap('end-phase');
            await crew.tap('take-chest', { piece: 'red-2' });
            await crew.expectBoard('Anna | Moving | 0:0 | Red 2 takes the chest.');
            await crew.expectPiece('red-2', 'has the chest');
            await endSteps(crew, 2);
            await crew.expectBoard('Ben | Shooting | 0:0 | Ben is on turn.');
            await crew.shootAt('red-2', 'yellow-2');
            await crew.expectPiece('red-2', 'captured by Ben');
            await crew.expectBoard('Ben | Moving | 0:1 | The shot is over.');
            assert.match(
                await crew.tv.locator('.scenario p').textContent(),
                /chest is on the island/,
            );
            await crew.tap('take-chest', { piece: 'green-1' });
            await endSteps(crew, 4);
            await crew.tap('engage', { attacker: 'red-1', target: 'green-1' });
            await crew.tap('roll-combat', { attacker: 'red-1', target: 'green-1', value: 'flag' });
            await crew.expectBoard(
                'Anna | Close combat | 1:1 | The chest goes from Green 1 to Red 1.',
            );
            await crew.tap('end-phase');
            await endSteps(crew, 3);
            await destroy(crew, ...GREEN.slice(1), ...YELLOW);
            await crew.expectBoard('Anna won! | 13:1 | The game is over. Anna won!');
        }));

    test('pirate ship: it is sailed, attacks, and is a trophy in the end (PS)', () =>
        play(
            'pirate',
            { names: ['Anna', 'Ben', 'Cleo'], scenario: 'pirate-ship' },
            async (crew) => {
                await crew.tap('end-phase');
                await crew.tap('roll-move', { value: 2 });
                await crew.tap('select', { piece: 'pirate' });
                await crew.tap('move', { piece: 'pirate', knots: 2 });
                await crew.expectBoard(
                    'Anna | Moving | 0:0:0 | Pirate ship sails 2; knots left: 0.',
                );
                await crew.tap('end-phase');
                await crew.tap('engage', { attacker: 'pirate', target: 'blue-1' });
                await crew.tap('roll-combat', {
                    attacker: 'pirate',
                    target: 'blue-1',
                    value: 'flag',
                });
                await crew.expectPiece('blue-1', 'lost for all');
                await crew.expectBoard(
                    'Anna | Close combat | 0:0:0 | The fight of Pirate ship and Blue 1 is over.',
                );
                await crew.tap('end-phase');
                await crew.tap('fire');
                await crew.tap('topple', { piece: 'pirate' });
                await crew.expectBoard('Ben | Shooting | 0:1:0 | Ben captures Pirate ship.');
                assert.match(await crew.tv.locator('.scenario p').textContent(), /is gone/);
                await endSteps(crew, 6);
                await destroy(crew, 'blue-2', 'blue-3', 'blue-tower');
                await crew.expectBoard('Anna won! | 4:1:0 | The game is over. Anna won!');
            },
        ));

    test('sea monster: wounded, stood up, killed (SM)', () =>
        play('monster', { names: ['Anna', 'Ben'], scenario: 'sea-monster' }, async (crew) => {
            await crew.shootAt('monster', 'red-2');
            await crew.expectPiece('monster', 'put it right, lives: 1');
            await crew.expectBoard('Anna | Moving | 0:0 | The shot is over.');
            await crew.hand('raise', 'monster');
            await crew.expectPiece('monster', 'lives: 1');
            await crew.tap('roll-move', { value: 1 });
            await crew.tap('select', { piece: 'monster' });
            await crew.tap('move', { piece: 'monster', knots: 1 });
            await crew.tap('end-phase');
            await crew.tap('engage', { attacker: 'monster', target: 'green-1' });
            await crew.tap('roll-combat', {
                attacker: 'monster',
                target: 'green-1',
                value: 'flag',
            });
            await crew.expectPiece('green-1', 'lost for all');
            await crew.tap('end-phase');
            await crew.tap('fire');
            await crew.tap('topple', { piece: 'monster' });
            await crew.expectBoard('Ben | Shooting | 0:0 | Ben kills the monster!');
            assert.match(await crew.tv.locator('.scenario p').textContent(), /is dead/);
            await endSteps(crew, 3);
            await destroy(crew, ...GREEN.slice(1), ...YELLOW);
            await crew.expectBoard('Anna won! | 9:0 | The game is over. Anna won!');
        }));

    test('heavy wind: a ship goes further, and the wind moves (HW)', () =>
        play('wind', { names: ['Anna', 'Ben'], scenario: 'heavy-wind' }, async (crew) => {
            await crew.tap('end-phase');
            await crew.tap('roll-move', { value: 2 });
            await crew.tap('catch-wind', { piece: 'red-3' });
            await crew.expectBoard('Anna | Moving | 0:0 | Red 3 catches the wind.');
            await crew.expectNotOffered('catch-wind', { piece: 'red-3' });
            await crew.tap('select', { piece: 'red-3' });
            await crew.tap('move', { piece: 'red-3', knots: 3 });
            await crew.expectBoard('Anna | Moving | 0:0 | Red 3 sails 3; knots left: 0.');
            await crew.tap('undo');
            await crew.tap('move-wind');
            await crew.expectBoard('Anna | Moving | 0:0 | Anna moves the wind.');
            await crew.expectNotOffered('move-wind');
            await crew.tap('move', { piece: 'red-3', knots: 2 });
            await crew.tap('end-phase');
            await endSteps(crew, 4);
            await destroy(crew, ...GREEN, ...YELLOW);
            await crew.expectBoard('Anna won! | 10:0 | The game is over. Anna won!');
        }));

    test('merchant, advanced: barrels, flat pieces and repairs (ME, A)', () => {
        const wish = { names: ['Anna', 'Ben', 'Cleo'], scenario: 'merchant', rules: 'advanced' };
        return play('merchant', wish, async (crew) => {
            await crew.tap('fire');
            await crew.tap('topple', { piece: 'blue-1' });
            await crew.expectPiece('blue-1', 'lying flat');
            await crew.tap('end-phase');
            await crew.tap('load-barrel', { piece: 'red-1', harbour: 'red' });
            await crew.expectPiece('red-1', 'carries the barrel for Green');
            await crew.tap('deliver-barrel', { piece: 'red-1', harbour: 'green' });
            await crew.expectBoard(
                'Anna | Moving | 2:0:0 | Red 1 delivers a barrel: points for Anna.',
            );
            await crew.tap('end-phase');
            await crew.tap('engage', { attacker: 'red-2', target: 'blue-1' });
            await crew.expectBoard(
                'Anna | Close combat | 3:0:0 | The fight of Red 2 and Blue 1 is over.',
            );
            await crew.tap('end-phase');
            await crew.expectBoard(
                'Anna | Repairing | 3:0:0 | The fight of Red 2 and Blue 1 is over.',
            );
            await crew.tap('end-phase');
            await crew.tap('fire');
            await crew.tap('topple', { piece: 'red-3' });
            await endSteps(crew, 4);
            await crew.expectBoard('Cleo | Shooting | 3:0:0 | Cleo is on turn.');
            await endSteps(crew, 7);
            await crew.expectBoard('Anna | Repairing | 3:0:0 | Anna is on turn.');
            await crew.tap('raise', { piece: 'red-3' });
            await crew.expectPiece('red-3', 'standing');
            await endSteps(crew, 9);
            await destroy(crew, 'blue-2', 'blue-3', 'blue-tower');
            await endSteps(crew, 2);
            for (const target of ['blue-2', 'blue-3', 'blue-tower']) {
                await crew.tap('engage', { attacker: 'red-2', target });
            }
            await crew.expectBoard('Anna won! | 7:0:0 | The game is over. Anna won!');
        });
    });

    test('kraken: it grabs a ship, is beaten and moved on (KR)', () =>
        play('kraken', { names: ['Anna', 'Ben'], scenario: 'kraken' }, async (crew) => {
            await crew.tap('end-phase');
            await crew.tap('roll-move', { value: 1 });
            await crew.tap('select', { piece: 'kraken' });
            await crew.tap('move', { piece: 'kraken', knots: 1 });
            await crew.tap('entangle', { piece: 'green-1' });
            await crew.expectPiece('green-1', 'held by the kraken');
            await crew.tap('end-phase');
            await crew.tap('end-phase');
            await crew.tap('end-phase');
            await crew.expectNotOffered('select', { piece: 'green-1' });
            await crew.tap('end-phase');
            await crew.tap('engage', { attacker: 'green-1', target: 'kraken' });
            await crew.tap('roll-combat', { attacker: 'green-1', target: 'kraken', value: 'flag' });
            await crew.expectBoard('Ben | Close combat | 0:0 | The kraken lets Green 1 go.');
            await crew.tap('move', { piece: 'kraken', knots: 3 });
            await crew.tap('entangle', { piece: 'red-1' });
            await crew.expectPiece('red-1', 'held by the kraken');
            await crew.tap('end-phase');
            await destroy(crew, ...GREEN, ...YELLOW);
            await crew.expectBoard('Anna won! | 10:0 | The game is over. Anna won!');
        }));
});
