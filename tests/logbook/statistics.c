/* Statistics of games whose figures were counted by hand. */
#include "support/test.h"
#include "trial.h"

TEST_EACH(trial_begin, trial_end)

/*
 * Anna (red) has three shots, two of which hit: one topples two ships, one is declared late. She
 * takes a tower in close combat. Ben (blue) misses once and topples his own ship, which is a
 * disturbance. He has the faster ball.
 */
static const char first_game[] = "1 1 game-started first=1\n"
                                 "1 1 shot-fired speed_mps=4.5\n"
                                 "1 1 piece-toppled piece=blue-1\n"
                                 "1 1 piece-captured piece=blue-1 by=1 how=shot\n"
                                 "1 1 piece-toppled piece=blue-2\n"
                                 "1 1 piece-captured piece=blue-2 by=1 how=shot\n"
                                 "1 1 shot-over\n"
                                 "1 1 piece-moved piece=red-1 knots=1.62 cost=2 left=0\n"
                                 "2 2 shot-fired speed_mps=5.25\n"
                                 "2 2 disturbance\n"
                                 "2 2 piece-moved piece=blue-3 knots=3 cost=3 left=0\n"
                                 "3 1 shot-fired\n"
                                 "3 1 shot-over\n"
                                 "3 1 piece-toppled piece=blue-3\n"
                                 "3 1 piece-captured piece=blue-3 by=1 how=shot\n"
                                 "4 2 turn-started\n"
                                 "5 1 shot-fired speed_mps=3\n"
                                 "5 1 combat-rolled attacker=red-1 target=blue-tower value=flag\n"
                                 "5 1 piece-captured piece=blue-tower by=1 how=combat\n"
                                 "5 1 player-out out=2\n"
                                 "5 1 game-over ranking=1:5,2:0\n";

TEST(a_game_is_counted_as_by_hand)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    EXPECT("statistics", "{'player':'anna'}",
           {"statistics",
            "[{'player':'Anna','games':1,'won':1,'points':5,'shots':3,'hits':2,'hit_share':0.667,'"
            "fastest_mps':4.5,'captured':{'ships':3,'towers':1,'pirate':0},'combats_won':1,'"
            "combats_lost':0,'knots':1.62,'longest_hits':2,'by_game':{'ship-ahoy':{'games':1,'won':"
            "1}},'won_by_scenario':{'none':1},'beat':{'Ben':1}}]"},
           {"more", "false"});
    EXPECT("statistics", "{'player':'Ben'}",
           {"statistics", "[{'player':'Ben','games':1,'won':0,'points':0,'shots':1,'hits':0,'hit_"
                          "share':0.0,'fastest_mps':5.25,'captured':{'ships':0,'towers':0,'pirate':"
                          "0},'combats_won':0,'combats_lost':1,'knots':3,'longest_hits':0,'by_game'"
                          ":{'ship-ahoy':{'games':1,'won':0}},'won_by_scenario':{},'beat':{}}]"});
}

TEST(what_was_undone_counts_for_nothing)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue",
               "1 1 game-started first=1\n"
               "1 1 shot-fired speed_mps=9\n"
               "1 1 piece-toppled piece=blue-1\n"
               "1 1 piece-captured piece=blue-1 by=1 how=shot\n"
               "1 1 game-over ranking=1:5,2:0\n"
               "1 1 undone from=2 to=5\n"
               "1 1 shot-fired speed_mps=2\n");
    EXPECT("statistics", "{'player':'Anna'}", {"statistics.0.games", "0"},
           {"statistics.0.shots", "1"}, {"statistics.0.hits", "0"},
           {"statistics.0.fastest_mps", "2"}, {"statistics.0.captured.ships", "0"},
           {"statistics.0.longest_hits", "0"}, {"statistics.0.won_by_scenario", "{}"},
           {"statistics.0.beat", "{}"});
    EXPECT("game", "{'game':'20260501-180000-a'}", {"game.ended", "null"}, {"game.winners", "[]"},
           {"events.4.undone", "true"}, {"events.5.undone", "null"});
}

/* The shot is not undone, only the fall of the ship; and a combat and a move are. */
TEST(a_hit_that_was_undone_is_a_miss)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue",
               "1 1 game-started first=1\n"
               "1 1 shot-fired\n"
               "1 1 piece-toppled piece=blue-1\n"
               "1 1 piece-captured piece=blue-1 by=1 how=shot\n"
               "1 1 undone from=3 to=4\n"
               "1 1 piece-moved piece=red-1 knots=2 cost=2 left=0\n"
               "1 1 piece-captured piece=blue-2 by=1 how=combat\n"
               "1 1 undone from=6 to=7\n"
               "1 1 piece-moved piece=red-1 knots=0.5 cost=1 left=1\n");
    EXPECT("statistics", "", {"statistics.0.shots", "1"}, {"statistics.0.hits", "0"},
           {"statistics.0.combats_won", "0"}, {"statistics.0.knots", "0.5"},
           {"statistics.1.combats_lost", "0"});
}

/* A shot that hits nothing of the enemy's but wounds the monster is a hit. */
TEST(the_monster_and_the_pirate_ship_are_counted)
{
    trial_play("20260501-180000-a", "sea-monster", "Anna red, Ben blue",
               "1 1 game-started first=1\n"
               "1 1 shot-fired\n"
               "1 1 piece-toppled piece=monster\n"
               "1 1 monster-wounded lives=1\n"
               "2 2 combat-rolled attacker=monster target=red-1 value=flag\n"
               "2 2 piece-lost piece=red-1 with=monster\n");
    trial_play("20260502-180000-b", "pirate-ship", "Anna red, Ben blue",
               "1 1 game-started first=1\n"
               "1 1 shot-fired shooter=pirate\n"
               "1 1 piece-toppled piece=blue-1\n"
               "1 1 piece-lost piece=blue-1 with=pirate\n"
               "2 2 shot-fired\n"
               "2 2 piece-toppled piece=pirate\n"
               "2 2 piece-captured piece=pirate by=2 how=shot\n");
    EXPECT("statistics", "", {"statistics.0.hits", "2"}, {"statistics.0.combats_lost", "1"},
           {"statistics.1.combats_lost", "0"},
           {"statistics.1.captured", "{'ships':0,'towers':0,'pirate':1}"});
}

/* Hits (x) and misses (-) of Anna: game a x-x, game b xx, game c -x. The longest run is x, xx of a
 * and b. The games are stored in another order. */
TEST(the_longest_run_of_hits_goes_over_games_in_their_order)
{
    trial_play("20260503-180000-c", "none", "Anna red, Ben blue",
               "1 1 game-started first=1\n1 1 shot-fired\n"
               "3 1 shot-fired\n3 1 piece-toppled piece=blue-1\n");
    trial_play("20260502-180000-b", "none", "ANNA red, Ben blue",
               "1 1 game-started first=1\n1 1 shot-fired\n1 1 piece-toppled piece=blue-1\n"
               "2 2 shot-fired\n"
               "3 1 shot-fired\n3 1 piece-toppled piece=blue-2\n");
    trial_play("20260501-180000-a", "none", "An na red, Ben blue",
               "1 1 game-started first=1\n1 1 shot-fired\n1 1 piece-toppled piece=blue-1\n"
               "3 1 shot-fired\n"
               "5 1 shot-fired\n5 1 piece-toppled piece=blue-2\n");
    /* The latest spelling. */
    EXPECT("statistics", "{'player':'a n n a'}", {"statistics.0.player", "'Anna'"},
           {"statistics.0.shots", "7"}, {"statistics.0.longest_hits", "3"});
    EXPECT("records", "", {"records.0.record", "'longest-hits'"}, {"records.0.value", "3"},
           {"records.0.game", "'20260502-180000-b'"});
}

/* Team 1 wins: Anna and Cleo. They do not beat each other. */
TEST(team_mates_win_together_and_do_not_beat_each_other)
{
    trial_play("20260501-180000-a", "none", "Anna red/1, Ben blue/2, Cleo green/1, Dan yellow/2",
               "1 1 game-started first=1\n1 1 game-over ranking=1:5=3:2,2:1=4:0\n");
    EXPECT("statistics", "{'player':'Anna'}", {"statistics.0.won", "1"},
           {"statistics.0.beat", "{'Ben':1,'Dan':1}"});
    EXPECT("games", "", {"games.0.winners", "['Anna','Cleo']"}, {"games.0.points", "[5,1,2,0]"},
           {"games.0.teams", "true"});
}

TEST(progress_is_by_month)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    trial_play("20260502-180000-b", "kraken", "Anna red, Ben blue", first_game);
    trial_play("20260701-180000-c", "none", "Anna red, Ben blue", "1 1 game-started first=1\n");
    EXPECT("progress", "{'player':'Anna'}",
           {"progress",
            "[{'month':'2026-05','games':2,'won':2,'shots':6,'hits':4,'fastest_mps':4.5},{'month':'"
            "2026-07','games':0,'won':0,'shots':0,'hits':0,'fastest_mps':null}]"});
    EXPECT("progress", "{'player':'Anna','limit':1}", {"more", "true"});
    EXPECT("progress", "{'player':'Anna','after':'2026-05'}", {"progress.0.month", "'2026-07'"});
}

TEST(records_belong_to_whom_set_them_first)
{
    trial_play("20260502-180000-b", "none", "Cleo red, Dan blue", first_game);
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    EXPECT("records", "",
           {"records",
            "[{'record':'fastest-ball','value':5.25,'unit':'m/"
            "s','player':'Ben','game':'20260501-180000-a','table':'den','at':'2026-05-01T18:00:09."
            "000Z'},{'record':'longest-hits','value':2,'unit':'hits','player':'Anna','game':'"
            "20260501-180000-a','table':'den','at':'2026-05-01T18:00:12.000Z'},{'record':'most-"
            "captured','value':4,'unit':'pieces','player':'Anna','game':'20260501-180000-a','table'"
            ":'den','at':'2026-05-01T18:00:21.000Z'},{'record':'most-points','value':5,'unit':'"
            "points','player':'Anna','game':'20260501-180000-a','table':'den','at':'2026-05-01T18:"
            "00:21.000Z'},{'record':'shortest-win','value':5,'unit':'turns','player':'Anna','game':"
            "'20260501-180000-a','table':'den','at':'2026-05-01T18:00:21.000Z'}]"});
}

TEST(badges_follow_from_the_statistics)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    EXPECT("badges", "",
           {"badges",
            "[{'player':'Anna','badges':['first-win']},{'player':'Ben','badges':['cannoneer']}]"});
}

TEST(merged_names_count_together_until_they_are_unmerged)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    trial_play("20260502-180000-b", "kraken", "Ana red, Ben blue", first_game);
    json_decref(trial_command("merge", "{'player':'Ana','into':'Anna'}"));
    EXPECT("statistics", "{'player':'ana'}", {"statistics.0.player", "'Anna'"},
           {"statistics.0.games", "2"}, {"statistics.0.longest_hits", "2"},
           {"statistics.0.won_by_scenario", "{'kraken':1,'none':1}"},
           {"statistics.0.beat", "{'Ben':2}"});
    EXPECT("players", "",
           {"players",
            "[{'player':'Anna','merged':['Ana'],'games':2,'first':'2026-05-01T18:00:01."
            "000Z','last':'2026-05-02T18:00:01.000Z'},{'player':'Ben','merged':[],'games':"
            "2,'first':'2026-05-01T18:00:01.000Z','last':'2026-05-02T18:00:01.000Z'}]"});
    json_decref(trial_command("unmerge", "{'player':'Ana'}"));
    EXPECT("statistics", "", {"statistics.0.games", "1"}, {"statistics.1.player", "'Anna'"},
           {"statistics.1.games", "1"});
}

/* Ana ends a game with two hits, and Anna begins the next one with one. */
TEST(a_run_of_hits_goes_over_merged_names)
{
    trial_play("20260501-180000-a", "none", "Ana red, Ben blue",
               "1 1 game-started first=1\n1 1 shot-fired\n1 1 piece-toppled piece=blue-1\n"
               "3 1 shot-fired\n3 1 piece-toppled piece=blue-2\n");
    trial_play("20260502-180000-b", "none", "Anna red, Ben blue",
               "1 1 game-started first=1\n1 1 shot-fired\n1 1 piece-toppled piece=blue-1\n"
               "3 1 shot-fired\n");
    json_decref(trial_command("merge", "{'player':'Ana','into':'Anna'}"));
    EXPECT("statistics", "{'player':'Anna'}", {"statistics.0.longest_hits", "3"});
    json_decref(trial_command("unmerge", "{'player':'Ana'}"));
    EXPECT("statistics", "{'player':'Anna'}", {"statistics.0.longest_hits", "1"});
}

TEST(merging_needs_two_players)
{
    trial_play("20260501-180000-a", "none", "Anna red, Ben blue", first_game);
    json_t *reply = trial_command("merge", "{'player':'Ana','into':'Anna'}");
    expect(reply, "error", "'not-found'");
    json_decref(reply);
    reply = trial_command("merge", "{'player':'ANNA','into':'Anna'}");
    expect(reply, "error", "'bad-value'");
    json_decref(reply);
    reply = trial_command("unmerge", "{'player':'Anna'}");
    expect(reply, "error", "'not-found'");
    json_decref(reply);
}

TEST(names_match_beyond_ascii)
{
    trial_play("20260501-180000-a", "none", "Žofie red, Ben blue", first_game);
    EXPECT("statistics", "{'player':'ŽOFIE'}", {"statistics.0.games", "1"});
}

TEST(the_longest_names_of_a_table_are_stored)
{
#define TEN                                                                                        \
    "\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4\U0001f3f4"   \
    "\U0001f3f4"
    trial_play("20260501-180000-a", "none", TEN TEN TEN TEN " red, Ben blue", first_game);
    EXPECT("statistics", "{'player':'" TEN TEN TEN TEN "'}", {"statistics.0.games", "1"});
}
